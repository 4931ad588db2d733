//! The order in which crossover sees weights (plogann: orders that keep neighbouring squares together).

/// Whether a list has every number below `weights` once. An error says that it has not.
pub fn check_order(order: &[u32], weights: usize) -> Result<(), String> {
    let mut seen = vec![false; weights];
    let is_new = |&place: &u32| seen.get_mut(place as usize).is_some_and(|seen| !std::mem::replace(seen, true));
    if order.len() == weights && order.iter().all(is_new) {
        return Ok(());
    }
    Err(format!("weight order: expected every number below {weights} once"))
}
