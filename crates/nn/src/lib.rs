//! Small networks: forward, incremental forward, backward; weight files.
