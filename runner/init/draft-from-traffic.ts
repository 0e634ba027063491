import type { LearnedMember } from '../report/report.ts';
import { pluralize } from '../text/lists.ts';
import { type DraftLine, formatDraft } from './format-draft.ts';

/** The groups of the file, in order. */
const sections: readonly { readonly about: readonly string[]; readonly has: (path: string) => boolean }[] = [
  { about: [], has: (path) => path === 'baseUrl' },
  {
    about: ['The file contains no key. Set the variable to the key of the calls below.'],
    has: (path) => path.startsWith('keys.'),
  },
  { about: ['Models of successful calls.'], has: (path) => path.startsWith('models.') },
  {
    about: ['Billing-type operations.'],
    has: (path) => path.startsWith('operations.') || path === 'timeFormat',
  },
  { about: ['Settings.'], has: (path) => path === 'versionHeader' || path.startsWith('stream.') },
];

/** Formats a profile with what was learned from `exchanges` exchanges: the first value of each member. It contains no key. */
export function draftFromTraffic(members: readonly LearnedMember[], exchanges: number): string {
  const head = [
    `What ${pluralize(exchanges, 'exchange')} showed about the gateway. Check it before you use it.`,
  ];
  const seen = new Set<string>();
  const lines = members.flatMap(({ path, value, because }): DraftLine[] => {
    if (seen.has(path)) return [];
    seen.add(path);
    const stated = path === 'keys.valid' ? '${GATEWAY_API_KEY}' : value;
    return [{ path: path.split('.'), value: stated, inForce: true, comment: because }];
  });
  const groups = sections.flatMap(({ about, has }) => {
    const own = lines.filter(({ path }) => has(path.join('.')));
    return own.length > 0 ? [{ about, lines: own }] : [];
  });
  return formatDraft(head, groups);
}
