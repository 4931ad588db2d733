//! Using what the processor has.
//!
//! The program is built twice from the same source: `lanista` for any x86-64-v2 processor, and `lanista-v3`, which
//! `make build` puts beside it, for x86-64-v3 (AVX2, BMI). The first starts the second in its own place
//! when the processor can run it. So every line of code gains, and no line of it needs to know.
//! Both give the same results to the bit. `LANISTA_CPU=v2` stays with the portable build.

/// The instruction set that this build may use.
pub const BUILD: &str = if cfg!(all(target_feature = "avx2", target_feature = "bmi2")) {
    "x86-64-v3"
} else if cfg!(target_arch = "x86_64") {
    "x86-64-v2"
} else {
    std::env::consts::ARCH
};

/// Replaces this process by the better build, if there is one and the processor can run it.
#[cfg(all(target_arch = "x86_64", unix, not(all(target_feature = "avx2", target_feature = "bmi2"))))]
pub fn switch_to_best_build() {
    use std::os::unix::process::CommandExt;

    let capable = std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("fma")
        && std::is_x86_feature_detected!("f16c")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("movbe");
    if !capable || std::env::var_os("LANISTA_CPU").is_some_and(|choice| choice == "v2") {
        return;
    }
    let Ok(here) = std::env::current_exe() else { return };
    let better = here.with_file_name("lanista-v3");
    let modified = |path: &std::path::Path| path.metadata().and_then(|data| data.modified()).ok();
    // An older file was built from older source: ignore it.
    if modified(&better).is_some_and(|time| Some(time) >= modified(&here)) {
        // Only returns if the start failed; then this build does the work.
        let _ = std::process::Command::new(better).args(std::env::args_os().skip(1)).exec();
    }
}

/// There is no better build.
#[cfg(not(all(target_arch = "x86_64", unix, not(all(target_feature = "avx2", target_feature = "bmi2")))))]
pub fn switch_to_best_build() {}
