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
    about: 'The model list is a web page that shows one model.',
    breaks: ['models/list-json', 'models/list-names-good-model'],
    setup: deciding(onlyWhere(list, text('text/html', '<ul><li>gpt-reference</li></ul>'))),
  },
  {
    id: 'model-list/lines',
    about: 'The model list has one name a line and is no JSON.',
    breaks: ['models/list-json'],
    setup: deciding(
      onlyWhere(list, text('text/plain', 'gpt-reference\nclaude-reference\ngemini-reference\n')),
    ),
  },
  {
    id: 'model-list/empty',
    about: 'The model list is empty.',
    breaks: ['models/list-names-good-model'],
    setup: deciding(() => ({ listedModels: () => [] })),
  },
  {
    id: 'model-list/stale',
    about: 'The model list lacks a model that can be called.',
    breaks: ['models/list-names-good-model'],
    setup: deciding((base) => ({
      listedModels: (ctx) => base.listedModels(ctx).filter(({ id }) => id !== 'gemini-reference'),
    })),
  },
  {
    id: 'model-list/display-names',
    about: 'The model list holds names for people, and no IDs.',
    breaks: ['models/list-names-good-model'],
    setup: deciding(() => ({ modelEntry: (model) => ({ name: model.id.replaceAll('-', ' ') }) })),
  },
  {
    id: 'model-list/crashes',
    about: 'The model list is answered 500 each time, while models can be called.',
    breaks: ['models/list-succeeds'],
    setup: deciding(() => ({
      modelList: () => {
        throw new Error('a defect');
      },
    })),
  },
  {
    id: 'model-list/forbidden',
    about: 'The model list is closed to those who may call models.',
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
    about: 'The model list redirects to a web page.',
    breaks: ['models/list-succeeds'],
    setup: deciding(
      onlyWhere(list, () => ({
        finish: (answer) => ({ ...answer, status: 302, headers: [['location', '/models']] }),
      })),
    ),
  },
  {
    id: 'model-list/echoes-calls',
    about: 'The model list takes up every model that was asked for.',
    breaks: ['models/list-omits-unlisted'],
    setup: () => ({
      decisions: rememberingUnknown((ids) => (base) => ({
        modelList: (entries, ctx) => base.modelList([...entries, ...ids.map((id) => ({ id }))], ctx),
      })),
    }),
  },
  {
    id: 'model-list/suggests-calls',
    about: 'The model list names the last unknown models beside those that there are.',
    breaks: ['models/list-omits-unlisted'],
    setup: () => ({
      decisions: rememberingUnknown((ids) => () => ({
        modelList: (entries) => ({ data: entries, recently_requested: ids.slice(-200) }),
      })),
    }),
  },
];
