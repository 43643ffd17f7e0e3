import { escapeHtml, renderLayout } from '../shared/page-layout.ts';
import type { Person } from './person.ts';

const BANNER = 'Test mode: fake Google sign-in.';

/** The account chooser: lists users who have signed in before and offers to add a new one. */
export function renderChooserPage(action: string, known: readonly Person[]): string {
  return renderLayout(
    BANNER,
    'Sign in with Google',
    `<h1>Choose an account</h1>
<p class="quiet">to continue to Lessonbook</p>
${known.map((person) => renderKnownPerson(action, person)).join('\n')}
<form method="post" action="${action}">
<h2>Use another account</h2>
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="off">
<label for="name">Name</label>
<input id="name" name="name" autocomplete="off">
<details>
<summary>ID token claims</summary>
<p><input id="email_verified" name="email_verified" type="checkbox" checked style="width:auto">
<label for="email_verified" style="display:inline">Email is verified</label></p>
<label for="hd">Workspace domain (hd)</label>
<input id="hd" name="hd" autocomplete="off">
<label for="sub">Subject identifier (sub)</label>
<input id="sub" name="sub" autocomplete="off">
</details>
<button name="choice" value="continue">Continue</button>
<button class="second" name="choice" value="cancel" formnovalidate>Cancel</button>
</form>`,
  );
}

function renderKnownPerson(action: string, person: Person): string {
  const label = escapeHtml(person.email ?? person.sub);
  return `<form method="post" action="${action}">
<input type="hidden" name="known" value="${escapeHtml(person.sub)}">
<button class="second" name="choice" value="continue">${escapeHtml(person.name ?? '')} ${label}</button>
</form>`;
}
