//! Who works for runs elsewhere: what a thread hears of the cluster.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lanista_cluster::{Access, Identity, Overview, overview};

/// Signs of life are gathered for so long.
const LISTEN: Duration = Duration::from_secs(2);
/// After a failure it is tried again so much later.
const AGAIN: Duration = Duration::from_secs(5);

/// The latest that was heard, or why nothing is heard.
#[derive(Debug)]
pub struct Staff(Mutex<Result<Overview, String>>);

impl Staff {
    /// Listens as long as somebody has it.
    pub fn listen(access: Access) -> std::io::Result<Arc<Staff>> {
        let staff = Arc::new(Staff(Mutex::new(Ok(Overview::default()))));
        let heard = Arc::downgrade(&staff);
        let note = move |news| heard.upgrade().map(|staff| *staff.lock() = news).ok_or(());
        std::thread::Builder::new().name("cluster".into()).spawn(move || {
            let (here, say) = (Identity::of_this_program(), Arc::new(|_| {}));
            loop {
                let say = Arc::clone(&say);
                match overview(&access, &here, LISTEN, true, say, |found| note(Ok(found))) {
                    Ok(_) => return,
                    Err(error) if note(Err(error.to_string())).is_err() => return,
                    Err(_) => std::thread::sleep(AGAIN),
                }
            }
        })?;
        Ok(staff)
    }

    /// What was heard last.
    pub fn latest(&self) -> Result<Overview, String> {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Result<Overview, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
