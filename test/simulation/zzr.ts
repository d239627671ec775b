import { readFileSync } from 'node:fs';
import { livedOf } from './tool/lives.ts';
const all = JSON.parse(readFileSync(new URL('./regressions.json', import.meta.url),'utf8'));
const want = process.argv.slice(2).map(Number);
for (const x of all) if (want.length===0||want.includes(x.seed)) { const {outcome}=await livedOf(x.script,{trace:false}); console.log(x.seed, outcome.violations.map((v:any)=>v.invariant+': '+v.message).join(';')||'ok'); }
