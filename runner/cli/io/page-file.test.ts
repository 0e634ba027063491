import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addPage, chooseOpener } from './page-file.ts';

test.each([
  [['terminal'], true, ['terminal', `html=${join('.conformance', 'report.html')}`]],
  [['html'], true, ['html', `html=${join('.conformance', 'report.html')}`]],
  [['html=a.html'], true, ['html=a.html']],
  [['json'], false, ['json']],
])('the reporters %j with open %j are %j', (reporter, open, expected) => {
  expect(addPage({ reporter, open })).toEqual(expected);
});

test.each([
  ['linux', { DISPLAY: ':0' }, 'xdg-open'],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0', CI: 'false' }, 'xdg-open'],
  ['linux', {}, undefined],
  ['linux', { DISPLAY: ':0', CI: 'true' }, undefined],
  ['darwin', {}, 'open'],
  ['darwin', { CI: '1' }, undefined],
  ['win32', {}, 'rundll32'],
] as const)('on %s with %j, the program is %s', (platform, env, program) => {
  expect(chooseOpener(platform, env)?.[0]).toBe(program);
});
