export const style = `
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d9dee4; --paper: #fff; --tint: #f6f8fa; --link: #0b5cad;
  --pass: #1a7f37; --fail: #b42318; --error: #8250df; --skip: #6e7781; --disabled: #9aa4ae; --untestable: #b8a36a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9aa6b2; --line: #323a44; --paper: #10151b; --tint: #1a212a;
  --link: #6cb2ff; --pass: #4ac26b; --fail: #ff7b6b; --error: #b78cff; --skip: #9aa6b2; --disabled: #6e7781; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
header, main { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
header p, .note { color: var(--soft); margin: 0; }
.bar { display: flex; height: .5rem; margin: 1.25rem 0 .75rem; border-radius: .25rem; overflow: hidden; background: var(--line); }
.bar i { flex: 0 0 auto; }
.chips { display: flex; flex-wrap: wrap; gap: .375rem; padding: 0; margin: .75rem 0; list-style: none; font-size: .8125rem; }
.chips li { border: 1px solid var(--line); border-radius: 1rem; padding: .0625rem .625rem; color: var(--soft); }
.chips li.off { text-decoration: line-through; }
.tools { position: sticky; top: 0; z-index: 1; background: var(--paper); border-bottom: 1px solid var(--line); }
.tools div { max-width: 62rem; margin: 0 auto; padding: .75rem 1.25rem; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
input[type=search] { flex: 1 1 16rem; min-width: 0; font: inherit; padding: .375rem .75rem; border: 1px solid var(--line); border-radius: .375rem;
  background: var(--tint); color: inherit; }
button { font: inherit; font-size: .8125rem; padding: .3125rem .75rem; border: 1px solid var(--line); border-radius: .375rem; background: none; color: inherit; cursor: pointer; }
button[aria-pressed=true] { background: var(--ink); border-color: var(--ink); color: var(--paper); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.area { margin: 1rem 0; }
.area > summary { display: flex; gap: .75rem; align-items: baseline; padding: .375rem 0; font-weight: 600; cursor: pointer; border-bottom: 1px solid var(--line); }
.area > summary span { margin-left: auto; font-weight: 400; font-size: .8125rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.row { border-bottom: 1px solid var(--line); }
.row > summary { display: grid; grid-template-columns: 5.5rem 1fr auto; gap: .75rem; padding: .4375rem 0; cursor: pointer; list-style: none; align-items: baseline; }
.row > summary::-webkit-details-marker { display: none; }
.row > summary:hover { background: var(--tint); }
.row small { color: var(--soft); font: .75rem/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; display: block; }
.status { font-size: .75rem; font-weight: 600; text-transform: uppercase; letter-spacing: .03em; color: var(--of); }
.level { font-size: .6875rem; color: var(--soft); }
.pass { --of: var(--pass); } .fail { --of: var(--fail); } .error { --of: var(--error); } .skip { --of: var(--skip); } .disabled { --of: var(--disabled); } .untestable { --of: var(--untestable); }
.bar i { background: var(--of); }
.inside { padding: .25rem 0 1rem 6.25rem; }
.inside h3 { font-size: .75rem; font-weight: 600; color: var(--soft); margin: .875rem 0 .25rem; }
.inside p { margin: .25rem 0; }
pre { margin: 0; padding: .625rem .75rem; background: var(--tint); border-radius: .375rem; max-height: 22rem; overflow: auto;
  font: .78125rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; font-size: .8125rem; table-layout: fixed; }
th { text-align: left; color: var(--soft); font-weight: 500; }
th, td { padding: .25rem .75rem .25rem 0; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td code { font: .75rem/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
a { color: var(--link); } [hidden] { display: none !important; }
footer { color: var(--soft); padding: 2rem 0 3rem; font-size: .8125rem; }
@media (max-width: 40rem) { .inside { padding-left: 0; } .row > summary { grid-template-columns: 4rem 1fr; } .level { display: none; } }
`;
