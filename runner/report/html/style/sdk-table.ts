/** The table of SDKs and calls, and the reasons below it. */
export const sdkTableStyle = /* css */ `
.sdk-table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: .875rem; }
.sdk-table th { padding: .25rem .75rem; font-weight: 400; text-align: left; white-space: nowrap; }
.sdk-table thead th { padding-block: .75rem; font-weight: 500; color: var(--soft); }
.sdk-table thead th + th { text-align: center; }
.sdk-table tbody tr > * { border-top: 1px solid var(--line); }
.sdk-table th:first-child { position: sticky; left: 0; background: var(--card); }
.sdk-table td { padding: .1875rem .375rem; text-align: center; white-space: nowrap; }
.sdk-table td a {
  display: block; min-width: 2.25rem; padding: .125rem .5rem; border-radius: 5px; background: var(--wash); color: var(--tone);
  font-weight: 700; text-decoration: none;
}
.sdk-table td a:hover { box-shadow: inset 0 0 0 1.5px var(--tone); }
.sdk-reasons { display: grid; gap: .75rem; margin: 1rem 0 0; padding-left: 2rem; font-size: .9375rem; }
.sdk-reasons > li::marker { font-weight: 600; color: var(--soft); }
`;
