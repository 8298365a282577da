#!/bin/sh
# The Debian packages, unpacked beside the system: what is in them, and their smoke test. (`make dist-check` installs them.)
. "$(dirname "$0")/common"

version=$("$FUMATA" --version | sed 's/^fumata //')
BUILD="${BUILD:-$here/build}" VERSION="$version" "$here/shell/dist/deb" "$work/dist" >made 2>err || complain "no packages: $(tail -n 3 err)"
for package in dist/*.deb; do dpkg-deb -x "$package" root || complain "$package"; done
expect 0 "Version: $version" dpkg-deb -I "dist/fumata_${version}_$(dpkg --print-architecture).deb"
grep -q 'Depends: .*libc6.*libxgboost0' out || complain "the package does not say what it needs: $(grep Depends out)"
for file in bin/fumata lib/libfumata-mpi.so lib/libfumata-door.so.0 lib/libfumata.so.0 lib/libfumata.so lib/libfumata.a include/fumata.h \
  lib/pkgconfig/fumata.pc share/man/man3/fumata.3.gz lib/python3/dist-packages/fumata/__init__.py share/doc/fumata/copyright; do
  [ -e "root/usr/$file" ] || complain "the packages lack $file"
done
for page in "$here"/shell/man/*.1; do
  [ -e "root/usr/share/man/man1/$(basename "$page").gz" ] || complain "the packages lack $(basename "$page")"
done
! grep -rqI "$work\|/tmp/tmp" root || complain "a path of the build is in a package"
PATH="$work/root/usr/bin:$PATH" LD_LIBRARY_PATH="$work/root/usr/lib" PYTHONPATH="$work/root/usr/lib/python3/dist-packages" \
  PKG_CONFIG_PATH="$work/root/usr/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$work/root" \
  sh "$here/shell/dist/debian/tests/smoke" >out 2>err || complain "smoke: $(tail -n 3 err)"
grep -q "python: fumata $version $work/root/usr" out || complain "not the Python package of the packages: $(grep python out)"

"$here/tests/dist/dockerfile" >out 2>&1 || complain "$(cat out)"
cat out
[ $failed -ne 0 ] || echo "deb: packages built, unpacked, used"
exit $failed
