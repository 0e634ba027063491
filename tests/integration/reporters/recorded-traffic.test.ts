import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import schema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import { Ajv } from 'ajv';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import AjvDraft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import schemas from 'har-schema';
import { XmlDocument } from 'libxml2-wasm';
import { Parser } from 'tap-parser';
import { beforeAll, expect, test } from 'vitest';
import { loadSchemas } from '../../../common/schemas.ts';
import { reporterNames } from '../../../runner/reporters/reporters.ts';
import {
  check,
  type FinishedCheck,
  findMitmproxyCapture,
  listFailedIds,
} from '../../support/check-command.ts';

const ofSarif = new AjvDraft04.default({ strict: false, unicodeRegExp: false });
const ofHar = new Ajv({ strict: false, schemas: [draft06, ...Object.values(schemas)] });
for (const ajv of [ofSarif, ofHar]) addFormats.default(ajv);

let checked: FinishedCheck;
beforeAll(async () => {
  const flags = reporterNames
    .filter((name) => name !== 'terminal')
    .flatMap((name) => ['--reporter', `${name}=out/${name}`]);
  checked = await check({ files: [findMitmproxyCapture('openai-bad-token-called-api-key')], flags });
});
const written = (name: string): string => readFileSync(join(checked.cwd, 'out', name), 'utf8');

/** Parses a document with libxml2 and returns the result of `ask`. */
function readXml<T>(text: string, ask: (document: XmlDocument) => T): T {
  const document = XmlDocument.fromString(text);
  try {
    return ask(document);
  } finally {
    document.dispose();
  }
}

test('every reporter except terminal, badge and har writes the violation', () => {
  expect(readdirSync(join(checked.cwd, 'out')).sort()).toEqual(
    reporterNames.filter((name) => name !== 'terminal').sort(),
  );
  for (const name of reporterNames.filter((other) => !['terminal', 'badge', 'har'].includes(other)))
    expect(written(name)).toContain('auth/bad-bearer-token');
});

test('the JSON report is valid under its schema', async () => {
  expect((await loadSchemas()).problems('report', JSON.parse(written('json')))).toEqual([]);
});

test('the SARIF report is valid under its schema', () => {
  const validate = ofSarif.compile(schema);
  const report = JSON.parse(written('sarif'));
  expect(validate(report) ? [] : validate.errors).toEqual([]);
  expect(report.runs[0].results.length).toBeGreaterThan(0);
});

test('a strict TAP parser reads the TAP report', () => {
  const parser = new Parser({ strict: true });
  const failed: string[] = [];
  const junk: string[] = [];
  parser.on('assert', ({ ok, name }) => {
    if (!ok) failed.push(name);
  });
  parser.on('extra', (line: string) => junk.push(line));
  parser.end(written('tap'));
  expect(junk).toEqual([]);
  const violating = checked.report.requirements.filter(({ outcome }) => outcome === 'violates');
  expect(failed).toEqual(violating.map(({ id }) => id));
});

test('the JUnit report and the badge are valid XML', () => {
  const failures = readXml(written('junit'), (document) => document.find('//failure').length);
  expect(failures).toBe(checked.report.summary.requirements.violates);
  expect(readXml(written('badge'), ({ root }) => root.name)).toBe('svg');
});

test('the HAR report is valid under its schema, and `check` judges the HAR report like the original recording', async () => {
  const validate = ofHar.getSchema('har.json#');
  expect(validate?.(JSON.parse(written('har'))) ? [] : validate?.errors).toEqual([]);
  const again = await check({ files: ['x.har'], folder: { 'x.har': written('har') } });
  expect(listFailedIds(again.report)).toEqual(listFailedIds(checked.report));
});
