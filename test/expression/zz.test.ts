import fc from 'fast-check';
import { it } from 'vitest';
import { ran, storedIn, typed, asked } from './answers.ts';
import { expression, kept, names } from './arbitrary.ts';
import { postgres, kinds } from './postgres.ts';
import { print } from '../../src/service/store/postgres/sql.ts';
it('x', async () => {
  const store = await postgres(); if (typeof store === 'string') throw 1;
  const n = Number(process.env.N ?? 1000); let bad = 0;
  const seed = Number(process.env.SEED ?? 1);
  const ks = fc.sample(fc.tuple(fc.array(expression,{minLength:10,maxLength:10}), kept, names), { numRuns: n/10, seed }).map(([a,b,c]) => [b,c,a] as const);
  for (const [of, more, texts] of ks) {
    await store.keep(of);
    for (const text of texts) { const syntax = typed(text); if (!syntax) continue;
      let found: unknown[];
      try { found = await storedIn(store, syntax, of, more); } catch (e: any) { found = ['ERR ' + e.message + ' ' + e.sql]; }
      const exp = ran(syntax, of, more);
      const a = JSON.stringify(found), b = JSON.stringify(exp.map((x,i)=> found[i]==='none' && of.Author.length===0 ? 'none':x));
      if (a !== b && text.length < Number(process.env.LEN ?? 300)) { bad++; if (bad < Number(process.env.MAX ?? 8)) console.log(text, '\nfound', a, '\nexp', b, '\n', JSON.stringify(of), JSON.stringify(more), '\n', print((asked(syntax, of, more)[0] as any).query, kinds).ask((asked(syntax, of, more)[0] as any).given()).sql); }
    }
  }
  console.log('bad', bad);
  await store.close();
}, 1e9);
