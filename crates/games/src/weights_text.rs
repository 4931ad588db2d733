//! Weights of evaluators as text: lines of `name = value`; `#` begins a comment.

/// Hands each line's name and value to `set`. Errors begin with the line's number.
pub(crate) fn read(data: &[u8], mut set: impl FnMut(&str, &str) -> Result<(), String>) -> Result<(), String> {
    let text = std::str::from_utf8(data).map_err(|_| "weights: expected text, found other bytes".to_string())?;
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let pair = line.split_once('=').ok_or_else(|| format!("{line:?}: expected name = whole number"));
        let done = pair.and_then(|(name, value)| set(name.trim(), value.trim()));
        done.map_err(|message| format!("line {}: {message}", index + 1))?;
    }
    Ok(())
}

/// A whole number that is not further from zero than the limit.
pub(crate) fn whole_number(name: &str, value: &str, limit: i32) -> Result<i32, String> {
    match value.parse() {
        Ok(number) if (-limit..=limit).contains(&number) => Ok(number),
        _ => Err(format!("{name} = {value}: expected a whole number from -{limit} to {limit}")),
    }
}

/// The nearest whole number that is not further from zero than the limit; 0 for what is no number.
pub(crate) fn rounded(weight: f32, limit: i32) -> i32 {
    // The conversion makes 0 of NaN and keeps infinities at the ends of the range.
    (weight.round() as i32).clamp(-limit, limit)
}
