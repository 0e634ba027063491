import type { Overrides } from '../decisions/index.ts';
import { deciding, onlyWhere, status, text, together } from './changes.ts';
import { all, not, ofKey, on, refused } from './conditions.ts';
import type { Fault } from './fault.ts';

const list = all(on('models'), not(refused));

/** Asks of every unknown model that was called, so that the list can show them; made for one server. */
const rememberingUnknown = (show: (ids: readonly string[]) => Overrides): Overrides => {
  const unknown = new Set<string>();
  return (base) => ({
    findModel: (id, ctx) => {
      const found = base.findModel(id, ctx);
      if (!found) unknown.add(id);
      return found;
    },
    ...show([])(base),
    modelList: (entries, ctx) => show([...unknown])(base).modelList?.(entries, ctx) ?? null,
  });
};

/** The model list is absent, unreadable, or says something else than what can be called. */
export const modelListFaults: readonly Fault[] = [
  {
    id: 'model-list/html',
    about: 'Answers the model list with a web page.',
    breaks: ['models/list-json', 'models/list-names-good-model'],
    setup: deciding(onlyWhere(list, text('text/html', '<ul><li>gpt-reference</li></ul>'))),
  },
  {
    id: 'model-list/lines',
    about: 'Answers the model list with plain text, one model per line.',
    breaks: ['models/list-json'],
    setup: deciding(
      onlyWhere(list, text('text/plain', 'gpt-reference\nclaude-reference\ngemini-reference\n')),
    ),
  },
  {
    id: 'model-list/empty',
    about: 'Lists no models.',
    breaks: ['models/list-names-good-model'],
    setup: deciding(() => ({ listedModels: () => [] })),
  },
  {
    id: 'model-list/stale',
    about: 'Omits a callable model from the model list.',
    breaks: ['models/list-names-good-model'],
    setup: deciding((base) => ({
      listedModels: (ctx) => base.listedModels(ctx).filter(({ id }) => id !== 'gemini-reference'),
    })),
  },
  {
    id: 'model-list/display-names',
    about: 'Lists display names instead of model IDs.',
    breaks: ['models/list-names-good-model'],
    setup: deciding(() => ({ modelEntry: (model) => ({ name: model.id.replaceAll('-', ' ') }) })),
  },
  {
    id: 'model-list/crashes',
    about: 'Answers the model list with 500.',
    breaks: ['models/list-succeeds'],
    setup: deciding(() => ({
      modelList: () => {
        throw new Error('a defect');
      },
    })),
  },
  {
    id: 'model-list/forbidden',
    about: 'Answers the model list with 403 for a key that may call models.',
    breaks: ['models/list-succeeds'],
    setup: deciding(
      together(
        onlyWhere(all(on('models'), ofKey('valid')), () => ({ keyWorks: () => false })),
        onlyWhere(all(on('models'), ofKey('valid'), refused), status(403)),
      ),
    ),
  },
  {
    id: 'model-list/elsewhere',
    about: 'Redirects the model list to a web page.',
    breaks: ['models/list-succeeds'],
    setup: deciding(
      onlyWhere(list, () => ({
        finish: (answer) => ({ ...answer, status: 302, headers: [['location', '/models']] }),
      })),
    ),
  },
  {
    id: 'model-list/echoes-calls',
    about: 'Adds every unknown model that a client calls to the model list.',
    breaks: ['models/list-omits-unlisted'],
    setup: () => ({
      decisions: rememberingUnknown((ids) => (base) => ({
        modelList: (entries, ctx) => base.modelList([...entries, ...ids.map((id) => ({ id }))], ctx),
      })),
    }),
  },
  {
    id: 'model-list/suggests-calls',
    about: 'Adds the unknown models of recent calls to the model list in a member of their own.',
    breaks: ['models/list-omits-unlisted'],
    setup: () => ({
      decisions: rememberingUnknown((ids) => () => ({
        modelList: (entries) => ({ data: entries, recently_requested: ids.slice(-200) }),
      })),
    }),
  },
];
