import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { expectedType, lastMemberName, setBodyMessage } from './body-messages.ts';
import type { Variant } from './variant.ts';

/**
 * Replaces all messages by these texts, in which `%` stands for the name of the member or parameter, or for the ID
 * of the model.
 */
const setMessages =
  (
    say: Readonly<
      Record<'key' | 'json' | 'body' | 'model' | 'balance' | 'parameter' | 'record' | 'other', string>
    >,
  ): Overrides =>
  () => ({
    errorMessageOf: (failure) => {
      switch (failure.kind) {
        case 'missing-credential':
        case 'bad-key':
          return say.key;
        case 'unparseable-body':
          return say.json;
        case 'invalid-body':
          return say.body.replace('%', lastMemberName(failure));
        case 'unknown-model':
        case 'unsupported-model':
        case 'mismatched-model':
        case 'image-refused':
          return say.model.replace('%', failure.model);
        case 'low-balance':
          return say.balance;
        case 'invalid-parameter':
          return say.parameter.replace('%', failure.name);
        case 'unknown-record':
          return say.record;
        default:
          return say.other;
      }
    },
  });

const chinese = setMessages({
  key: 'API 密钥无效或缺失',
  json: '请求体不是合法的 JSON',
  body: '参数%缺失或类型错误',
  model: '模型 % 不可用',
  balance: '账户余额不足，请充值',
  parameter: '参数%不合法',
  record: '请求记录不存在',
  other: '服务暂时不可用',
});

const german = setMessages({
  key: 'Der API-Schlüssel fehlt oder ist ungültig.',
  json: 'Der Rumpf ist kein gültiges JSON.',
  body: 'Das Feld „%“ fehlt oder hat den falschen Typ.',
  model: 'Das Modell „%“ ist nicht verfügbar.',
  balance: 'Das Guthaben reicht nicht aus.',
  parameter: 'Der Parameter „%“ ist ungültig.',
  record: 'Diese Anfrage gibt es nicht.',
  other: 'Es ist ein Fehler aufgetreten.',
});

const spanish = setMessages({
  key: 'Falta la clave de API o no es válida.',
  json: 'El cuerpo no es un JSON válido.',
  body: 'El campo «%» falta o tiene un tipo incorrecto.',
  model: 'El modelo «%» no está disponible.',
  balance: 'El saldo es insuficiente.',
  parameter: 'El parámetro «%» no es válido.',
  record: 'El registro no existe.',
  other: 'Ha ocurrido un error.',
});

/** Variants of the language, style and length of messages, which section 2.2 leaves open. */
export const messageVariants: readonly Variant[] = [
  {
    id: 'messages/chinese',
    about: 'Sends Chinese messages that name the invalid member.',
    setup: withDecisions(chinese),
  },
  {
    id: 'messages/german',
    about: 'Sends German messages that name the invalid member.',
    setup: withDecisions(german),
  },
  {
    id: 'messages/spanish',
    about: 'Sends Spanish messages that name the invalid member.',
    setup: withDecisions(spanish),
  },
  {
    id: 'messages/shouting',
    about: 'Sends messages in upper case.',
    setup: withDecisions((base) => ({
      errorMessageOf: (failure, ctx) => base.errorMessageOf(failure, ctx).toUpperCase(),
    })),
  },
  {
    id: 'messages/parent-named',
    about: 'Names only the outermost member in messages about invalid bodies.',
    setup: withDecisions(setBodyMessage(({ place }) => `invalid entry in ${place.split(/[.[]/)[0]}`)),
  },
  {
    id: 'messages/item-counted',
    about: 'Names an invalid item of an array by its index in messages about invalid bodies.',
    setup: withDecisions(
      setBodyMessage(({ place, expected }) =>
        place.includes('[')
          ? `Invalid ${place.replace(/s\[(\d+)\].*/, ' at index $1')}`
          : `${place}: ${expected}`,
      ),
    ),
  },
  {
    id: 'messages/singular',
    about: 'Names members in the singular in messages about invalid bodies.',
    setup: withDecisions(
      setBodyMessage((failure) => `A ${lastMemberName(failure).replace(/s$/, '')} must not be empty.`),
    ),
  },
  {
    id: 'messages/without-latin-letters',
    about: 'Sends Chinese messages about invalid bodies that name neither members nor types.',
    setup: withDecisions(setBodyMessage(() => '请求参数有误')),
  },
  {
    id: 'messages/polish',
    about: 'Sends Polish messages about invalid bodies that name the member only in Polish.',
    setup: withDecisions(setBodyMessage(() => 'Treść wiadomości jest błędna.')),
  },
  {
    id: 'messages/japanese-types',
    about: 'Names only the type, in Japanese, in messages about invalid bodies.',
    setup: withDecisions(
      setBodyMessage((failure) => {
        const types: Readonly<Record<string, string>> = {
          string: '文字列',
          array: '配列',
          object: 'オブジェクト',
          integer: '整数',
        };
        return `${types[expectedType(failure)]}でなければなりません`;
      }),
    ),
  },
  {
    id: 'messages/traditional-chinese-types',
    about: 'Names only the type, in traditional Chinese, in messages about invalid bodies.',
    setup: withDecisions(
      setBodyMessage((failure) => {
        const types: Readonly<Record<string, string>> = {
          string: '字串',
          array: '陣列',
          object: '物件',
          integer: '整數',
        };
        return `必須是${types[expectedType(failure)]}`;
      }),
    ),
  },
  {
    id: 'messages/portuguese-types',
    about: 'Names only the type, in Portuguese, in messages about invalid bodies.',
    setup: withDecisions(
      setBodyMessage((failure) => {
        const types: Readonly<Record<string, string>> = {
          string: 'uma cadeia de caracteres',
          array: 'uma matriz',
          object: 'um objeto',
          integer: 'um número inteiro',
        };
        return `O valor deve ser ${types[expectedType(failure)]}.`;
      }),
    ),
  },
  {
    id: 'messages/other-words-each-time',
    about: 'Sends messages in Chinese, German and English in turn.',
    setup: () => {
      let turn = 0;
      return {
        decisions: (base) => {
          const voices = [chinese(base).errorMessageOf, german(base).errorMessageOf, base.errorMessageOf];
          return {
            errorMessageOf: (failure, ctx) => {
              turn += 1;
              return (voices[turn % voices.length] ?? base.errorMessageOf)(failure, ctx);
            },
          };
        },
      };
    },
  },
  {
    id: 'messages/very-long',
    about: 'Sends messages of more than ten thousand characters with line breaks.',
    setup: withDecisions((base) => ({
      errorMessageOf: (failure, ctx) =>
        `${base.errorMessageOf(failure, ctx)}\n${'Please read the documentation. '.repeat(330)}\t“”`,
    })),
  },
];
