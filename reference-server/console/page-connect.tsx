import type { Content, Markup } from '../../common/page/markup.tsx';
import { listProviderLines, listRoleKeys, listShellLines } from '../connect.ts';
import type { ConsoleParts } from './api.ts';

/** Renders what a client needs: the base URL, the keys of the start state, and lines that create clients. */
export function ConnectPage({ url, profile, keys }: ConsoleParts): Markup {
  const gateway = { url: url(), profile: profile() };
  const deleted = new Set(keys.list().flatMap(({ id, deleted: isDeleted }) => (isDeleted ? [id] : [])));
  return (
    <div>
      <section aria-labelledby="base-title">
        <h2 id="base-title">Base URL</h2>
        <p class="card copied">
          <code id="base-url">{gateway.url}</code>
          <CopyButton id="base-url" name="the base URL" />
        </p>
      </section>
      <section aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <ul class="list">
          {listRoleKeys(gateway.profile).map(({ role, key, meaning }) => (
            <li class="card copied">
              <strong>{role}</strong>
              <code id={`key-${role}`}>{key}</code>
              <span class="quiet">{deleted.has(role) ? 'refused' : meaning}</span>
              <CopyButton id={`key-${role}`} name={`the key ${role}`} />
            </li>
          ))}
        </ul>
        <p class="quiet below">
          These keys are valid only here. The page <a href="/console/keys">Keys</a> creates more.
        </p>
      </section>
      <section aria-labelledby="shell-title">
        <h2 id="shell-title">Shell</h2>
        <Lines id="shell" name="the shell lines" text={listShellLines(gateway).join('\n')}>
          The TypeScript and Python SDKs of OpenAI and Anthropic read these variables.
        </Lines>
      </section>
      {listProviderLines(gateway).map(({ provider, model, lines }) => {
        const id = provider.toLowerCase();
        return (
          <section aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{provider}</h2>
            {model !== undefined && (
              <p class="quiet model">
                Model <code>{model}</code>
              </p>
            )}
            <div class="pairs">
              {lines.map(({ language, package: name, line, hint }) => (
                <Lines id={`${id}-${language}`} name={`the line for ${name} in ${language}`} text={line}>
                  {language}, <code>{name}</code>
                  {hint !== undefined && (
                    <span class="hint">
                      {hint.when}: <code>{hint.options}</code>
                    </span>
                  )}
                </Lines>
              ))}
            </div>
          </section>
        );
      })}
    </div>
  );
}

/** Renders lines with a button that copies them. The children say what they are. */
function Lines({
  id,
  name,
  text,
  children,
}: {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly children: Content;
}): Markup {
  return (
    <div class="card lines">
      <p class="quiet">{children}</p>
      <pre id={id}>{text}</pre>
      <CopyButton id={id} name={name} />
    </div>
  );
}

function CopyButton({ id, name }: { readonly id: string; readonly name: string }): Markup {
  return (
    <button type="button" data-copies={id}>
      Copy<span class="unseen"> {name}</span>
    </button>
  );
}
