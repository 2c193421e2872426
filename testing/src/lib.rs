//! Test support: a scriptable model server with faults, fixtures.
