#!/usr/bin/env bash
# Makes dist/steno-VERSION.tar.gz, the sources of the last commit, and dist/steno.rb, a Homebrew formula that builds them.
#
# usage: Tools/packages/make_formula.sh VERSION URL     URL: the https address of the folder that will have the archive
set -euo pipefail
case "${2:-}" in
    https://*) ;;
    *) echo "usage: Tools/packages/make_formula.sh VERSION https://FOLDER; with make: make formula URL=https://FOLDER" >&2; exit 64 ;;
esac
cd "$(dirname "$0")/../.."
version=$1 url=${2%/}
mkdir -p dist
git archive --format=tar.gz --prefix="steno-$version/" -o "dist/steno-$version.tar.gz" HEAD
sum=$( (sha256sum "dist/steno-$version.tar.gz" 2> /dev/null || shasum -a 256 "dist/steno-$version.tar.gz") | cut -d ' ' -f 1)

cat > dist/steno.rb << FORMULA
class Steno < Formula
  desc "On-device speech to text: files, live captions, and a server"
  homepage "$url"
  url "$url/steno-$version.tar.gz"
  sha256 "$sum"
  license "MIT"

  depends_on "ffmpeg"

  on_macos do
    depends_on xcode: ["26.0", :build]
    depends_on macos: :ventura
  end

  uses_from_macos "swift" => :build
  uses_from_macos "curl"
  uses_from_macos "sqlite"

  def install
    # Homebrew has a sandbox of its own, and SwiftPM's does not start inside another.
    system "make", "install", "PREFIX=#{prefix}", "SWIFTFLAGS=--disable-sandbox"
  end

  test do
    sample = Dir[lib/"steno/Steno_StenoBundledModel.*/**/inaugural-1961.wav"].first
    assert_match "what you can do for your country", shell_output("#{bin}/steno transcribe #{sample}")
  end
end
FORMULA
echo "dist/steno.rb and dist/steno-$version.tar.gz: not tried on a Mac; run brew install --build-from-source dist/steno.rb there first"
