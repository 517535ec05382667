//! What is read and written, from outside.

use andor_system_synthetic as _;

mod dataset_forms;
mod tables;
