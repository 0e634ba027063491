import type { Context } from '../gateway/context.ts';
import type { Decisions, Overrides } from '../gateway/decisions.ts';
import type { Model } from '../gateway/seed.ts';
import { isObject } from '../json.ts';
import type { NamedChanges } from './named-change.ts';

/** Finds another model where no listed model has the ID. */
const alsoFind =
  (isFound: (id: string, listed: Model) => boolean): Overrides =>
  (base) => ({
    findModel: (id, ctx) => base.findModel(id, ctx) ?? ctx.state.models.find((listed) => isFound(id, listed)),
  });

/** Serves a call to an unlisted model with another model. */
const substitute =
  (isReplaced: (id: string) => boolean): Overrides =>
  (base) => ({
    findModel: (id, ctx) =>
      base.findModel(id, ctx) ??
      (isReplaced(id) ? ctx.state.models.find((model) => base.supportsProtocol(model, ctx)) : undefined),
  });

const crashOn =
  (isHit: (id: string) => boolean): Overrides =>
  (base) => ({
    findModel(id, ctx) {
      if (isHit(id)) throw new Error('a defect');
      return base.findModel(id, ctx);
    },
  });

/** Shows the unlisted models of earlier calls in the model list. */
const showUnlisted =
  (show: (ids: readonly string[], base: Decisions) => Decisions['createModelList']): Overrides =>
  (base) => {
    const unlisted = new Set<string>();
    return {
      findModel(id, ctx) {
        const found = base.findModel(id, ctx);
        if (!found) unlisted.add(id);
        return found;
      },
      createModelList: (entries, ctx) => show([...unlisted], base)(entries, ctx),
    };
  };

function hasImageInItem({ body }: Context, indexes: readonly number[]): boolean {
  const { messages, input, contents } = isObject(body) ? body : {};
  const items = [messages, input, contents].find(Array.isArray);
  return indexes.some((index) => /image/.test(JSON.stringify(items?.at(index))));
}

/** Changes of how models and images are recognized, and of the model list. */
export const modelChanges: NamedChanges = {
  'model-substituted': {
    about: 'an unlisted model is replaced by another one',
    decisions: substitute(() => true),
  },
  'model-by-its-beginning': {
    about: 'a model ID can have a dash and more after it',
    decisions: alsoFind((id, listed) => id.startsWith(`${listed.id}-`)),
  },
  'model-by-its-end': {
    about: 'a model ID can have more before it',
    decisions: alsoFind((id, listed) => id.endsWith(listed.id)),
  },
  'model-in-quotes': {
    about: 'a model ID can be in quotation marks',
    decisions: alsoFind((id, listed) => id === `"${listed.id}"`),
  },
  'model-of-blanks-replaced': {
    about: 'a blank model ID stands for a model of the gateway',
    decisions: substitute((id) => id.trim() === ''),
  },
  'model-before-a-colon': {
    about: 'a colon in a model ID and all after it are ignored',
    decisions: alsoFind((id, listed) => id.replace(/:.*/, '') === listed.id),
  },
  'model-after-a-slash': {
    about: 'all up to the last slash of a model ID is ignored',
    decisions: alsoFind((id, listed) => id.replace(/.*\//, '') === listed.id),
  },
  'model-in-an-object': {
    about: 'models are looked up in a plain object, which also has inherited members',
    decisions: substitute((id) => id in {}),
  },
  'model-of-255-characters': {
    about: 'a longer model ID crashes the gateway, as a column of a database does',
    decisions: crashOn((id) => id.length > 255),
  },
  'model-in-ascii': {
    about: 'a model ID with other characters crashes the gateway',
    decisions: crashOn((id) => /[^\x20-\x7e]/.test(id)),
  },
  'models-by-display-name': {
    about: 'the model list has display names instead of IDs',
    decisions: () => ({ createModelEntry: (model) => ({ name: model.id.replaceAll('-', ' ') }) }),
  },
  'unlisted-models-listed': {
    about: 'a model that a client calls is added to the model list',
    decisions: showUnlisted(
      (ids, base) => (entries, ctx) => base.createModelList([...entries, ...ids.map((id) => ({ id }))], ctx),
    ),
  },
  'unlisted-models-suggested': {
    about: 'the model list has the latest 200 unlisted models of calls in a member of its own',
    decisions: showUnlisted((ids) => (entries) => ({
      data: entries,
      recently_requested: ids.slice(-200),
    })),
  },
  'image-in-the-last-item': {
    about: 'only the last item of the input is searched for an image',
    decisions: (base) => ({ hasImage: (ctx) => base.hasImage(ctx) && hasImageInItem(ctx, [-1]) }),
  },
  'image-in-the-first-or-last-item': {
    about: 'only the first and the last item of the input are searched for an image',
    decisions: (base) => ({ hasImage: (ctx) => base.hasImage(ctx) && hasImageInItem(ctx, [0, -1]) }),
  },
};
