/** The style of the page: no font, image or file from anywhere. */
export const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--panel:#f5f6f8;--line:#d5d9e0;--text:#171b22;--dim:#535c6b;--link:#0b57b0;
--good:#17692f;--goodground:#e2f4e6;--warn:#7a4b00;--warnground:#fdf0d3;--bad:#a31621;--badground:#fde6e7;--bar:#2f6fbf}
@media (prefers-color-scheme:dark){:root{--ground:#12151a;--panel:#1b2027;--line:#343c48;--text:#e6e9ee;--dim:#a3adbb;
--link:#8ab8f8;--good:#8fdca3;--goodground:#17311f;--warn:#f2c66d;--warnground:#392b0d;--bad:#ff9ea4;--badground:#421b1e;--bar:#6ea5ec}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.45 system-ui,sans-serif}
header,main,footer{max-width:80rem;margin:0 auto;padding:0 1rem}
header{padding-top:1rem}
h1{font-size:1.35rem;margin:0}
h1 a{color:inherit;text-decoration:none}
h2{font-size:1.1rem;margin:2rem 0 .5rem}
h3{font-size:1rem;margin:1.25rem 0 .25rem}
p{margin:.4rem 0;max-width:60rem}
a{color:var(--link)}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-100rem}
.skip:focus{left:1rem;top:.5rem;background:var(--ground);padding:.5rem}
.dim{color:var(--dim)}
.asof{font-size:.875rem;color:var(--dim);margin:.25rem 0}
.notice{border:1px solid var(--line);border-left:.4rem solid var(--warn);background:var(--warnground);padding:.6rem .9rem;margin:.75rem 0;max-width:none}
.notice:empty{display:none}
.search{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end;padding:.75rem;margin:.75rem 0;background:var(--panel);border:1px solid var(--line);border-radius:.4rem}
.search label{display:flex;flex-direction:column;font-size:.8rem;color:var(--dim);flex:1 1 9rem}
.search label.wide{flex:3 1 14rem}
input,select,button{font:inherit;color:inherit;background:var(--ground);border:1px solid var(--dim);border-radius:.3rem;padding:.35rem .5rem;min-width:0;min-height:2.25rem}
button{cursor:pointer;background:var(--panel)}
.tools{display:flex;flex-wrap:wrap;gap:.5rem;margin:.5rem 0}
table{border-collapse:collapse;width:100%;margin:.5rem 0;font-size:.925rem}
caption{text-align:left;color:var(--dim);font-size:.875rem;padding:.25rem 0}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
th,td,dd,code,p,li{unicode-bidi:isolate;overflow-wrap:anywhere}
thead th{color:var(--dim);font-weight:600;font-size:.8rem;white-space:nowrap;overflow-wrap:normal}
tbody th{font-weight:600;min-width:12rem}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
.state{display:inline-block;padding:.05rem .5rem;border-radius:1rem;font-size:.85rem;font-weight:600;white-space:nowrap;border:1px solid currentColor}
.good{color:var(--good);background:var(--goodground)}
.warn{color:var(--warn);background:var(--warnground)}
.bad{color:var(--bad);background:var(--badground)}
.small{font-size:.85rem}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:1rem}
.card{border:1px solid var(--line);border-radius:.4rem;padding:.75rem 1rem;background:var(--panel);min-width:0}
.card h3{margin-top:0;overflow-wrap:anywhere}
meter{width:100%;height:1rem;display:block;margin:.3rem 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:.4rem 0}
dt{color:var(--dim)}
dd{margin:0;min-width:0}
code{font-family:ui-monospace,monospace;font-size:.875em}
ul.commands{list-style:none;padding:0}
ul.commands li{margin:.35rem 0}
ul.commands code{display:inline-block;background:var(--panel);border:1px solid var(--line);border-radius:.3rem;padding:.25rem .5rem;max-width:100%;user-select:all}
ul.commands button{margin-left:.4rem;padding:.1rem .6rem}
nav.pages{display:flex;gap:1rem;align-items:center;flex-wrap:wrap;margin:.75rem 0}
footer{margin-top:2.5rem;padding-top:.75rem;padding-bottom:2rem;border-top:1px solid var(--line);color:var(--dim);font-size:.875rem}
@media (max-width:40rem){
table.stack,table.stack tbody,table.stack tr,table.stack td,table.stack tbody th,table.stack caption{display:block;width:100%}
table.stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table.stack tr{border-bottom:1px solid var(--line);padding:.5rem 0}
table.stack td,table.stack tbody th{border:0;padding:.1rem 0;text-align:left}
table.stack td[data-label]:not(:empty)::before{content:attr(data-label) " ";color:var(--dim);font-size:.8rem}
dl{grid-template-columns:1fr}
dd{margin-bottom:.3rem}
}
@media (prefers-reduced-motion:reduce){*{transition:none}}
@media print{.search,.tools,.skip{display:none}}
`;
