import {read} from '/tmp/h5/src/specification/read.ts';
import {step} from '/tmp/h5/src/specification/address.ts';
import {readFileSync} from 'node:fs';
import YAML from '/work/main/node_modules/yaml/dist/index.js';
import {readdirSync} from 'node:fs';
const files=[...readdirSync('/tmp/h5/test/documents/valid').map(f=>'/tmp/h5/test/documents/valid/'+f),...readdirSync('/tmp/h5/examples').map(f=>'/tmp/h5/examples/'+f)].filter(f=>f.endsWith('.md'));
let n=0,bad=0;
for(const f of files){
  const r=read(f,readFileSync(f,'utf8'));
  if(r.diagnostics.length) console.log(f,r.diagnostics.map(d=>d.message));
  const {specification:s}=r; const t0=performance.now(); read(f,readFileSync(f,'utf8')); console.log(f.split('/').pop(), Math.round(performance.now()-t0)+'ms', s.older.size);
  const json=(node)=>node.kind==='scalar'?node.value:node.kind==='list'?node.items.map(json):Object.fromEntries([...node.entries].map(([k,e])=>[k,json(e.value)]));
  const src=Object.fromEntries(['service','authentication','events','limits','versioning'].map(p=>[p,s.tree.entries.get(p)]).filter(x=>x[1]).map(([p,e])=>[p,json(e.value)]));
  const all=json(s.tree);
  const walk=(o,path,addr)=>{ if(o&&typeof o==='object'&&!Array.isArray(o)) for(const k of Object.keys(o)){
     if(path.length===0&&!src[k]) continue;
     const a=addr?step(addr,k):k; visit(o,k,path,a,addr); walk(o[k],[...path,k],a);} };
  const visit=(o,k,path,a,parent)=>{ n++;
     const keep=o[k]; const order=Object.entries(o); delete o[k];
     const out=read('x.json',JSON.stringify({complete:false,...all}));
     const pts=out.specification.points;
     const ok=out.diagnostics.length>0||pts.has(a)||pts.has(parent+'.*')||[...pts.keys()].some(x=>x.startsWith(a+'.')||x.startsWith(a+'['));
     if(!ok&&a.split('.').length>1){bad++;console.log('  no trace of',a);}
     for(const kk of Object.keys(o)) delete o[kk]; for(const [kk,v] of order) o[kk]=v;
  };
  walk(all,[],'');
}
console.log(n,bad);
