/** What link previews show of a page. */
export interface PageDescription {
  title: string;
  description: string;
  /** The HTML file of the build, by default 'link.html'. */
  file?: 'family.html';
}
