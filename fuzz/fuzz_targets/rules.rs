//! The law of the same name, on whatever the fuzzer finds.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| lanista_fuzz::laws::rules(data));
