import { test } from 'vitest';
import { variants } from '../reference-server/variants/index.ts';
import { loadCatalog } from '../runner/catalog/catalog.ts';
import { loadFuzz } from '../runner/fuzz/load-fuzz.ts';
import { reportOn } from './prove/judge-gateway.ts';

const catalog = await loadCatalog();
const [seeds, count, only] = [(process.env.SEEDS ?? '1').split(',').map(Number), Number(process.env.COUNT ?? 300), new RegExp(process.env.ONLY ?? '.')];
test('hand', async () => {
  let cases = 0; const bad: string[] = []; const kinds: Record<string, number> = {};
  const list = variants.filter((v) => only.test(v.id));
  let next = 0;
  const work = async () => { for (;;) {
    const v = list[next++]; if (!v) return;
    for (const seed of seeds) {
      const r = await reportOn(catalog, v.setup, await loadFuzz({ count, seed }));
      const own = r.cases.filter((c) => c.suite === 'fuzz');
      cases += own.length;
      for (const c of own) { kinds[c.outcome] = (kinds[c.outcome] ?? 0) + 1;
        if (c.outcome !== 'conforms') for (const o of c.obligations) bad.push([v.id, c.id, o.requirement, o.outcome, o.findings[0]?.message ?? o.reason, c.exchanges[0]?.curl.slice(0, 300)].join(' | ')); }
      for (const q of r.requirements) if (q.outcome === 'violates' ) bad.push([v.id, seed, q.id, 'VIOLATES', r.cases.filter(c=>c.obligations.some(o=>o.requirement===q.id&&o.outcome==='violates')).map(c=>c.id+JSON.stringify(c.obligations.filter(o=>o.outcome==='violates').map(o=>o.findings.slice(0,2).map(f=>f.exchange+f.message)))).join().slice(0,400)].join(' | '));
    } } };
  await Promise.all([work(), work(), work()]);
  console.log(list.length, 'variants', cases, 'cases', JSON.stringify(kinds)); console.log(bad.slice(0, 60).join('\n'));
}, 900_000);
