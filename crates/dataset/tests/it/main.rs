//! What is read and written, from outside.

mod corpus;
mod dataset_forms;
mod tables;
