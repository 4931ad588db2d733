//! The application's own files, from inside the binary.

use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use include_dir::{Dir, include_dir};

static APPLICATION: Dir<'static> = include_dir!("$OUT_DIR/application");

/// What is shown where the binary was built without the application.
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Lanista</title>\
<h1>The application is not in this binary</h1>\
<p>The server works, and <a href=\"/api/openapi.json\">its interface</a> can be used. To see the application, install Node, run \
<code>make ui</code>, and build the program again.</p></html>";

/// Whether the binary has the application in it.
pub fn is_built() -> bool {
    APPLICATION.get_file("index.html").is_some()
}

/// Answers with a file of the application.
pub async fn application(request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(file) = APPLICATION.get_file(path) else {
        return match path {
            "index.html" => Html(NOT_BUILT).into_response(),
            _ => (StatusCode::NOT_FOUND, "there is no such page").into_response(),
        };
    };
    let tag = format!("\"{}\"", &lanista_lab::blobs::Blobs::reference(file.contents())[..19]);
    // Vite puts a hash of the content into the names of assets.
    let caching = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let known = request.headers().get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let headers = [
        (header::CONTENT_TYPE, content_type(path).to_string()),
        (header::CACHE_CONTROL, caching.to_string()),
        (header::ETAG, tag),
    ];
    if known {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, file.contents()).into_response()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "map" => "application/json",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
