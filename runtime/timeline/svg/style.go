package svg

// style is the look. Orange and blue stay apart for people who do not tell red
// from green, and they differ in lightness too. Colours are written out twice
// rather than named once, since not everything that draws SVG knows variables.
const style = `
text{font:12px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#1f2328}
.bg{fill:#fff;stroke:#d1d9e0}
.h1{font-size:16px;font-weight:600}
.h2{font-size:13px;font-weight:600}
.m{fill:#59636e;font-size:11px}
.c{font:10.5px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.n{fill:#1f2328;font-size:10.5px}
.b{font-size:11px;font-weight:600}
.k{fill:#b04400;font-weight:600}
.k0{fill:#6f6157}.k1{fill:#83746a}
.l0{fill:#d4570b}.l1{fill:#e06d22}
.f0{fill:#8ecdf5}.f1{fill:#aedbf8}
.k0,.k1,.l0,.l1,.f0,.f1{stroke:#fff;stroke-width:.5}
.tk,.tl,.tf{font-size:10.5px}.tk{fill:#fff}.tl{fill:#1c0d00}.tf{fill:#0b3a5b}
.r{fill:#eaeef2}
.rl{fill:none;stroke:#818b98;stroke-width:1.2;stroke-dasharray:2 2}
.a{fill:none;stroke:#1f2328;stroke-width:1.3;stroke-linejoin:round}
.g{stroke:#d1d9e0;stroke-width:.6;fill:none}
.x{stroke:#59636e;fill:none}
.s{stroke:#818b98;stroke-width:.8;fill:none}
.p{stroke:#1f2328;stroke-width:1;stroke-dasharray:5 3;fill:none}
.d{fill:#fff;stroke:#1f2328;stroke-width:1.6}
.w{stroke:#1f2328;stroke-width:1.4;fill:none}
.v{fill:#1f2328}
.halo{stroke:#fff;stroke-width:3;stroke-linejoin:round;paint-order:stroke}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}
.bg{fill:#0d1117;stroke:#3d444d}
.m{fill:#9198a1}
.n{fill:#e6edf3}
.k{fill:#ffa657}
.k0{fill:#85776c}.k1{fill:#74675d}
.l0{fill:#ff9640}.l1{fill:#f08430}
.f0{fill:#1f5f8f}.f1{fill:#2a73a8}
.k0,.k1,.l0,.l1,.f0,.f1{stroke:#0d1117}
.tk{fill:#fff}.tf{fill:#e3f2fd}
.r{fill:#21262d}
.rl{stroke:#7d8590}
.a{stroke:#e6edf3}
.g{stroke:#30363d}
.x{stroke:#9198a1}
.s{stroke:#7d8590}
.p{stroke:#e6edf3}
.d{fill:#0d1117;stroke:#e6edf3}
.w{stroke:#e6edf3}
.v{fill:#e6edf3}
.halo{stroke:#0d1117}
}
`
