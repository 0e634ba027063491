import type { Plugin } from 'vitest/config';

/** The modules whose export of the same name makes an output, and the name of that export. */
const outputs =
  /\/runner\/(?:report|gate\/compare)\/(?:html\/)?(?:(badge|github|har|html|json|junit|markdown|sarif|tap|terminal))\.tsx?$/;

/** Lets every text that a reporter makes in a test be looked through for keys. */
export function watchReporters(): Plugin {
  return {
    name: 'watch-reporters',
    enforce: 'pre',
    transform(code, id) {
      const [, name] = outputs.exec(id.replace(/\?.*$/, '')) ?? [];
      if (name === undefined) return undefined;
      const found = new URL('./found.ts', import.meta.url).pathname;
      return `${code}
import { look as lookForKeys } from ${JSON.stringify(found)};
{
  const make = ${name};
  ${name} = (...given) => {
    const text = make(...given);
    lookForKeys('The ${name} report', text);
    return text;
  };
}
`;
    },
  };
}
