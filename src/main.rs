//! The `sitegen` program. See [`sitegen::cli`].

fn main() -> std::process::ExitCode {
    sitegen::cli::run()
}
