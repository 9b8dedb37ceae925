# Installs what a formula installs from the current folder: `homebrew.rb FORMULA PREFIX MACHINE`. Prints the address and
# the digest of the archive that it chooses on Linux with this processor.
require "fileutils"

FORMULA, PREFIX, MACHINE = ARGV

class Folder
  def initialize(path) = @path = path

  def install(files)
    FileUtils.mkdir_p(@path)
    pairs = files.is_a?(Hash) ? files.to_a : Array(files).map { |file| [file, File.basename(file)] }
    raise "nothing to install" if pairs.empty?
    pairs.each { |from, to| FileUtils.cp(from, File.join(@path, to), preserve: true) }
  end
end

class Formula
  class << self
    %i[desc homepage version license test].each { |name| define_method(name) { |*| } }
    %i[url sha256].each { |name| define_method(name) { |value| puts value } }
    def on_linux = yield
    def on_macos = nil
    def on_intel = (yield if MACHINE == "x86_64")
    def on_arm = (yield if MACHINE == "aarch64")
  end

  { bin: "bin", man1: "share/man/man1", bash_completion: "etc/bash_completion.d", doc: "share/doc",
    zsh_completion: "share/zsh/site-functions", fish_completion: "share/fish/vendor_completions.d" }.each do |name, path|
    define_method(name) { Folder.new(File.join(PREFIX, path)) }
  end
end

load FORMULA
ObjectSpace.each_object(Class).find { |each| each < Formula }.new.install
