//! What is read and written, from outside.

mod dataset_forms;
mod tables;
