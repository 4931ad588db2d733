//! Who may ask: requests must be meant for this server, must come from its own pages, and on other addresses than this machine's
//! own must know the token.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq;

use crate::error::ApiError;
use crate::state::App;

/// What the application may load: its own files and nothing else.
const POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/// What a report may do: show what is in it. It has its style inside.
pub const REPORT_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'";
/// The cookie that holds the token.
const COOKIE: &str = "lanista-token";

/// What requests are checked against.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The address that was asked for, as people write it.
    host: String,
    port: u16,
    token: Option<String>,
}

impl Guard {
    /// A guard for an address. Other addresses than this machine's own need a token, which is made here.
    pub fn new(host: &str, port: u16) -> Result<Guard, getrandom::Error> {
        let is_own = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        let token = if is_own { None } else { Some(new_token()?) };
        Ok(Guard { host: host.to_string(), port, token })
    }

    /// The token, if one is needed.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Whether a request is meant for this server: names of others that lead here are refused (DNS rebinding).
    fn is_our_name(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.port) {
            return false;
        }
        let name = name.trim_start_matches('[').trim_end_matches(']');
        let address: Option<IpAddr> = name.parse().ok();
        match &self.token {
            None => name == "localhost" || address.is_some_and(|address| address.is_loopback()),
            // An address is nobody's name; and whoever comes by it must know the token.
            Some(_) => address.is_some() || name == "localhost" || name.eq_ignore_ascii_case(&self.host),
        }
    }

    fn check(&self, method: &Method, path: &str, headers: &HeaderMap) -> Result<(), ApiError> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let host = text(header::HOST).unwrap_or_default();
        if !self.is_our_name(host) {
            let shown: String = host.chars().take(80).collect();
            let refused = format!("this server does not answer for {shown:?}; open the address that it printed");
            return Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, refused));
        }
        let foreign = || ApiError::new(StatusCode::FORBIDDEN, "requests from other sites are refused");
        if let Some(origin) = text(header::ORIGIN)
            && origin.strip_prefix("http://") != Some(host)
        {
            return Err(foreign());
        }
        let site = text(HeaderName::from_static("sec-fetch-site"));
        let is_change = !matches!(*method, Method::GET | Method::HEAD);
        // A link from elsewhere may lead to a page. What is behind pages is for them alone, and for whoever types its address.
        let is_page = !path.starts_with("/api/");
        match site {
            None | Some("same-origin") => Ok(()),
            Some("none") if !is_change => Ok(()),
            Some(_) if is_page && !is_change => Ok(()),
            Some(_) => Err(foreign()),
        }
    }

    /// Whether a request knows the token: by its cookie, or as a bearer.
    fn knows_token(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut cookies = cookies.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        cookies.any(|(name, value)| name == COOKIE && is_same(value, token))
            || bearer.and_then(|text| text.strip_prefix("Bearer ")).is_some_and(|value| is_same(value, token))
    }

    /// Lets in who opens the printed address: the token goes from the address into a cookie.
    fn welcome(&self, request: &Request) -> Option<Response> {
        let token = self.token.as_ref()?;
        let query = request.uri().query()?;
        let given = query.split('&').find_map(|pair| pair.strip_prefix("token="))?;
        if request.uri().path() != "/" || !is_same(given, token) {
            return None;
        }
        let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
        // A page of its own, not a redirection: a cookie that is strict is not sent with a redirection from elsewhere.
        let page = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Lanista</title>\
                    <meta http-equiv=\"refresh\" content=\"0;url=/\"><p><a href=\"/\">Go on to the application</a></p></html>";
        let headers = [(header::SET_COOKIE, cookie), (header::CONTENT_TYPE, "text/html; charset=utf-8".to_string())];
        Some((headers, page).into_response())
    }
}

fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0u8; 24];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares in a time that does not tell how much was right.
fn is_same(given: &str, token: &str) -> bool {
    given.as_bytes().ct_eq(token.as_bytes()).into()
}

/// Checks every request, and tells browsers what answers may do.
pub async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = match app.guard.check(request.method(), request.uri().path(), request.headers()) {
        Err(error) => error.into_response(),
        Ok(()) => match app.guard.welcome(&request) {
            Some(welcome) => welcome,
            None if app.guard.knows_token(request.headers()) => next.run(request).await,
            None => {
                let text = "this server wants the token that it printed when it started: open that address once";
                ApiError::new(StatusCode::UNAUTHORIZED, text).into_response()
            }
        },
    };
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::X_FRAME_OPTIONS, "SAMEORIGIN");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(header::CACHE_CONTROL, "no-store");
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn only_our_own_names_are_answered() {
        let guard = Guard::new("127.0.0.1", 8080).unwrap();
        assert!(guard.token().is_none());
        for good in ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"] {
            assert!(guard.is_our_name(good), "{good}");
        }
        for bad in
            ["", "evil.example:8080", "127.0.0.1:81", "127.0.0.1", "192.168.1.5:8080", "localhost.evil.example:8080"]
        {
            assert!(!guard.is_our_name(bad), "{bad}");
        }
    }

    #[test]
    fn other_addresses_need_the_token() {
        let guard = Guard::new("0.0.0.0", 8080).unwrap();
        let token = guard.token().unwrap();
        assert_eq!(token.len(), 48);
        assert!(guard.is_our_name("192.168.1.5:8080") && !guard.is_our_name("evil.example:8080"));
        assert!(guard.knows_token(&headers(&[("cookie", &format!("a=b; lanista-token={token}"))])));
        assert!(guard.knows_token(&headers(&[("authorization", &format!("Bearer {token}"))])));
        for wrong in ["", "lanista-token=", "lanista-token=0", "other=1"] {
            assert!(!guard.knows_token(&headers(&[("cookie", wrong)])), "{wrong}");
        }
    }

    #[test]
    fn other_sites_are_refused() {
        let guard = Guard::new("127.0.0.1", 8080).unwrap();
        let host = ("host", "127.0.0.1:8080");
        let check = |method: Method, pairs: &[(&'static str, &str)]| guard.check(&method, "/", &headers(pairs)).is_ok();
        assert!(check(Method::POST, &[host, ("origin", "http://127.0.0.1:8080"), ("sec-fetch-site", "same-origin")]));
        assert!(check(Method::GET, &[host, ("sec-fetch-site", "cross-site")]), "a link from elsewhere");
        assert!(!check(Method::POST, &[host, ("origin", "http://evil.example")]));
        assert!(!check(Method::POST, &[host, ("origin", "null")]));
        assert!(!check(Method::POST, &[host, ("sec-fetch-site", "cross-site")]));
        assert!(!check(Method::GET, &[host, ("origin", "http://localhost:8080")]));
        let asks = |site: &str| {
            let headers = headers(&[host, ("sec-fetch-site", site)]);
            guard.check(&Method::GET, "/api/analysis", &headers).is_ok()
        };
        assert!(asks("same-origin") && asks("none"), "our pages, and the address line");
        assert!(!asks("cross-site") && !asks("same-site"), "other sites and other servers of this machine");
    }
}
