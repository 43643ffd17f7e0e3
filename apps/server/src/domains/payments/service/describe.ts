/** What an entry is called, for the domains above. */
export { describeEntry } from '../rules/describe.ts';
