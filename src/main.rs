//! The `sitegen` program. See [`sitegen::cli`].

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    sitegen::cli::run()
}
