import { createHash } from 'node:crypto';
import type { Content, Markup } from './markup.tsx';

/** Renders a document with the head that all pages have. `head` follows the title. */
export function Page({
  title,
  policy,
  head,
  children,
}: {
  readonly title: string;
  /** The Content Security Policy; omitted if the server of the page sends it as a header. */
  readonly policy?: string;
  readonly head: Content;
  readonly children: Content;
}): Markup {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        {policy !== undefined && <meta http-equiv="Content-Security-Policy" content={policy} />}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{title}</title>
        {head}
      </head>
      <body>{children}</body>
    </html>
  );
}

/**
 * Renders an HTML document that loads no external resources. The Content Security Policy of the document allows only
 * the given style sheet and script and, with `connects`, requests to the server of the page.
 */
export function Document({
  title,
  styleSheet,
  script,
  connects = false,
  children,
}: {
  readonly title: string;
  readonly styleSheet: string;
  readonly script?: string;
  /** Whether the script may call the server of the page. Default: false. */
  readonly connects?: boolean;
  readonly children: Content;
}): Markup {
  return (
    <Page
      title={title}
      policy={policyOf(styleSheet, script, connects)}
      head={<Constant tag="style" text={styleSheet} />}
    >
      {children}
      {script !== undefined && <Constant tag="script" text={script} />}
    </Page>
  );
}

function policyOf(styleSheet: string, script: string | undefined, connects: boolean): string {
  return [
    "default-src 'none'",
    `style-src '${hashOf(styleSheet)}'`,
    ...(script === undefined ? [] : [`script-src '${hashOf(script)}'`]),
    ...(connects ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/**
 * Renders a constant style sheet or script of this package without escapes, which would change the meaning and the hash
 * of the text.
 */
function Constant({ tag: Tag, text }: { readonly tag: 'style' | 'script'; readonly text: string }): Markup {
  return <Tag dangerouslySetInnerHTML={{ __html: text }} />;
}
