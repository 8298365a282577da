// The core in WebAssembly: node webassembly.js MODULE runs a module that calls host.put for every byte it writes.
//   clang --target=wasm32 -O2 -ffreestanding -nostdlib -Wl,--no-entry -o core.wasm your.c fumata-core.c
const bytes = [];
const host = { put: (byte) => bytes.push(byte) };
WebAssembly.instantiate(require('fs').readFileSync(process.argv[2]), { host }).then(({ instance }) => {
  instance.exports.run();
  process.stdout.write(Buffer.from(bytes));
});
