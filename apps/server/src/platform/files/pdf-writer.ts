import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Font, create as readFont } from 'fontkit';
// oxlint-disable-next-line import/no-named-as-default -- its types declare only the default export.
import PDFDocument from 'pdfkit';

/**
 * Draws text in our fonts, choosing a fallback font for each glyph where needed, so that names in any script can be
 * read, selected and searched. Text is never interpreted as markup, file paths or URLs.
 */

const require = createRequire(import.meta.url);

interface FontFace {
  name: string;
  data: Buffer;
  font: Font;
}

const loadFontFace = (name: string, path: string): FontFace => {
  const data = readFileSync(path);
  return { name, data, font: readFont(data) as Font };
};

export type FontStyle = 'text' | 'strong' | 'heading';

let loadedFaces: Record<FontStyle, FontFace[]> | undefined;
/** Fonts are loaded when the first PDF is created. */
const fontFacesFor = (style: FontStyle): FontFace[] => {
  loadedFaces ??= loadFontFaces();
  return loadedFaces[style];
};

function loadFontFaces(): Record<FontStyle, FontFace[]> {
  const plain = loadFontFace('plain', require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
  const bold = loadFontFace('bold', require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'));
  return {
    text: [
      loadFontFace(
        'text',
        require.resolve('@fontsource/figtree/files/figtree-latin-400-normal.woff'),
      ),
      loadFontFace(
        'text-extended',
        require.resolve('@fontsource/figtree/files/figtree-latin-ext-400-normal.woff'),
      ),
      plain,
    ],
    strong: [
      loadFontFace(
        'strong',
        require.resolve('@fontsource/figtree/files/figtree-latin-600-normal.woff'),
      ),
      loadFontFace(
        'strong-extended',
        require.resolve('@fontsource/figtree/files/figtree-latin-ext-600-normal.woff'),
      ),
      bold,
    ],
    heading: [
      loadFontFace(
        'heading',
        require.resolve(
          '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff',
        ),
      ),
      loadFontFace(
        'heading-extended',
        require.resolve(
          '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-ext-700-normal.woff',
        ),
      ),
      bold,
    ],
  };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** For example '17 Nov 2026'. */
export const formatPdfDate = (date: string): string =>
  `${Number(date.slice(8))} ${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;

interface TextRun {
  text: string;
  face: FontFace;
}

/** The first font with a glyph for the character; the last one draws an empty box if there is none. */
function fontFaceFor(code: number, faces: readonly FontFace[]): FontFace {
  return (faces.find(({ font }) => font.hasGlyphForCodePoint(code)) ?? faces.at(-1)) as FontFace;
}

/** Splits text into runs that each use one font. */
function toTextRuns(text: string, style: FontStyle): TextRun[] {
  const faces = fontFacesFor(style);
  const runs: TextRun[] = [];
  for (const character of text) {
    const face = fontFaceFor(character.codePointAt(0) ?? 0, faces);
    const last = runs.at(-1);
    if (last && last.face === face) last.text += character;
    else runs.push({ text: character, face });
  }
  return runs;
}

/** Advance widths by character, for a font size of 1. */
const advances: Record<FontStyle, Map<string, number>> = {
  text: new Map(),
  strong: new Map(),
  heading: new Map(),
};
/** More characters than a document uses; without a limit, unusual documents would make the map grow indefinitely. */
const MAX_ADVANCES = 5000;

/** Without kerning, so that a character always has the same width. */
function advanceOf(character: string, style: FontStyle): number {
  const known = advances[style].get(character);
  if (known !== undefined) return known;
  const code = character.codePointAt(0) ?? 0;
  const { font } = fontFaceFor(code, fontFacesFor(style));
  const advance = font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm;
  if (advances[style].size >= MAX_ADVANCES) advances[style].clear();
  advances[style].set(character, advance);
  return advance;
}

/** Measures each character once. A word wider than the column is split at the last character that fits. */
function wrapParagraph(
  paragraph: string,
  width: number,
  measure: (character: string) => number,
): string[] {
  const rows: string[] = [];
  let row = '';
  let rowWidth = 0;
  const endRow = () => {
    rows.push(row);
    row = '';
    rowWidth = 0;
  };
  for (const word of paragraph.split(/\s+/)) {
    const characters = Array.from(word, (character) => [character, measure(character)] as const);
    const wordWidth = characters.reduce((sum, [, advance]) => sum + advance, 0);
    const spaceWidth = measure(' ');
    if (row && rowWidth + spaceWidth + wordWidth <= width) {
      row += ` ${word}`;
      rowWidth += spaceWidth + wordWidth;
      continue;
    }
    if (row) endRow();
    for (const [character, advance] of characters) {
      if (row && rowWidth + advance > width) endRow();
      row += character;
      rowWidth += advance;
    }
  }
  return [...rows, row];
}

export interface TextOptions {
  style?: FontStyle;
  size?: number;
  color?: string;
  align?: 'left' | 'right';
}

export const A4 = { width: 595.28, height: 841.89, margin: 56 };
const TEXT_COLOR = '#16221C';
const LINE_HEIGHT = 1.4;

export class PdfWriter {
  readonly doc: PDFKit.PDFDocument;
  readonly #chunks: Buffer[] = [];
  readonly #done: Promise<Buffer>;

  constructor(info: { title: string; author: string; now: Date }) {
    this.doc = new PDFDocument({
      size: 'A4',
      margin: 0,
      bufferPages: true,
      lang: 'en-GB',
      displayTitle: true,
      info: { Title: info.title, Author: info.author, CreationDate: info.now },
    });
    this.#done = new Promise((resolve, reject) => {
      this.doc.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
      this.doc.on('end', () => resolve(Buffer.concat(this.#chunks)));
      this.doc.on('error', reject);
    });
    for (const style of ['text', 'strong', 'heading'] as const)
      for (const { name, data } of fontFacesFor(style)) this.doc.registerFont(name, data);
  }

  measureWidth(text: string, options: TextOptions = {}): number {
    return toTextRuns(text, options.style ?? 'text').reduce((sum, run) => {
      this.doc.font(run.face.name).fontSize(options.size ?? 10);
      return sum + this.doc.widthOfString(run.text);
    }, 0);
  }

  /** Draws a single line without wrapping. If `align` is 'right', `x` is the right edge. */
  drawText(text: string, x: number, y: number, options: TextOptions = {}): void {
    const { style = 'text', size = 10, color = TEXT_COLOR, align = 'left' } = options;
    const printable = stripControlCharacters(text);
    let runX = align === 'right' ? x - this.measureWidth(printable, options) : x;
    for (const run of toTextRuns(printable, style)) {
      this.doc.font(run.face.name).fontSize(size).fillColor(color);
      const width = this.doc.widthOfString(run.text);
      this.doc.text(run.text, runX, y, { lineBreak: false });
      runX += width;
    }
  }

  /** Draws wrapped text in a column and returns the y position below it. */
  drawTextBlock(
    text: string,
    x: number,
    y: number,
    width: number,
    options: TextOptions = {},
  ): number {
    const left = options.align === 'right' ? x + width : x;
    return this.drawRows(this.wrap(text, width, options), left, y, options);
  }

  /** Draws rows returned by `wrap` and returns the y position below them. */
  drawRows(rows: readonly string[], x: number, y: number, options: TextOptions = {}): number {
    const rowHeight = (options.size ?? 10) * LINE_HEIGHT;
    for (const [index, row] of rows.entries())
      this.drawText(row, x, y + index * rowHeight, options);
    return y + rows.length * rowHeight;
  }

  wrap(text: string, width: number, { style = 'text', size = 10 }: TextOptions = {}): string[] {
    const measure = (character: string) => advanceOf(character, style) * size;
    return text
      .split(/\r?\n/)
      .flatMap((paragraph) => wrapParagraph(stripControlCharacters(paragraph), width, measure));
  }

  drawLine(x: number, y: number, toX: number, toY: number, color: string, width = 0.75): void {
    this.doc.moveTo(x, y).lineTo(toX, toY).lineWidth(width).strokeColor(color).stroke();
  }

  addPage(): void {
    this.doc.addPage({ size: 'A4', margin: 0 });
  }

  /** For headers and footers that show the total number of pages. */
  forEachPage(draw: (page: number, pages: number) => void): void {
    const { start, count } = this.doc.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.doc.switchToPage(start + page);
      draw(page + 1, count);
    }
  }

  async finish(): Promise<Buffer> {
    this.doc.end();
    return this.#done;
  }
}

/** Replaces control characters and characters that change the text direction with spaces. */
const stripControlCharacters = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- matches control characters on purpose.
  text.replaceAll(/[\u0000-\u001F\u007F\u202A-\u202E\u2066-\u2069]/g, ' ');
