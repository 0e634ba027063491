import requestTable from '../../common/page/browser/request-table.css.js';
import { Page } from '../../common/page/document.tsx';
import { type Markup, renderDocument } from '../../common/page/markup.tsx';
import { frame, media, sections, theme } from '../../common/page/style.ts';
import type { ConsoleParts } from './api.ts';
import consoleStyle from './browser/console.css.js';
import script from './browser/console.ts.js';
import { AccountPage, AccountsPage } from './page-accounts.tsx';
import { ConformancePage } from './page-conformance.tsx';
import { ConnectPage } from './page-connect.tsx';
import { KeysPage } from './page-keys.tsx';
import { RequestsPage } from './page-requests.tsx';
import { SituationsPage } from './page-situations.tsx';

export { script };

export const styleSheet = [theme, frame, sections, requestTable, consoleStyle, media].join('');

type ConsolePage = {
  readonly path: string;
  readonly title: string;
  readonly content: (parts: ConsoleParts) => Markup;
};

const pages: readonly ConsolePage[] = [
  { path: '', title: 'Requests', content: RequestsPage },
  { path: '/connect', title: 'Connect', content: ConnectPage },
  { path: '/keys', title: 'Keys', content: KeysPage },
  { path: '/accounts', title: 'Accounts', content: AccountsPage },
  { path: '/situations', title: 'Situations', content: SituationsPage },
];

function pagesOf({ conformance }: ConsoleParts): readonly ConsolePage[] {
  if (!conformance) return pages;
  const content = (parts: ConsoleParts): Markup => ConformancePage({ ...parts, conformance });
  return [...pages, { path: '/conformance', title: 'Conformance', content }];
}

/** Returns the HTML of the page at this path below `/console`; undefined if no page has this path. */
export function formatPage(parts: ConsoleParts, path: string): string | undefined {
  const page = pagesOf(parts).find((one) => one.path === path);
  if (page) return formatDocument(parts, page.title, page.path, page.content(parts));
  const [, encoded] = /^\/accounts\/([^/]+)$/.exec(path) ?? [];
  const account = parts.accounts.list().find(({ id }) => encodeURIComponent(id) === encoded);
  return account && formatDocument(parts, `Account ${account.id}`, '/accounts', AccountPage({ account }));
}

function formatDocument(parts: ConsoleParts, title: string, path: string, content: Markup): string {
  return renderDocument(
    <Page
      title={`${title} – reference gateway`}
      head={
        <>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href="/console/console.css" />
          <script src="/console/console.js" defer />
        </>
      }
    >
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="banner">
        <p class="kind">Reference gateway at {parts.url()}</p>
        <h1>{title}</h1>
      </header>
      <nav aria-label="Console">
        {pagesOf(parts).map((page) => (
          <a href={`/console${page.path}`} aria-current={page.path === path ? 'page' : undefined}>
            {page.title}
          </a>
        ))}
        <span id="state" class="quiet" role="status">
          Connecting …
        </span>
      </nav>
      <main id="content" tabIndex={-1}>
        <p id="problem" class="problem" role="alert" hidden />
        {content}
      </main>
    </Page>,
  );
}
