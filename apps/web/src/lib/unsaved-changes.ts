import { createContext, useContext, useEffect, useRef } from 'react';

/** The id of the modal around a component; null on the page itself. */
export const LayerContext = createContext<string | null>(null);

interface UnsavedForm {
  layer: string | null;
  /** Called when the person chooses to discard the changes. */
  onDiscard: () => void;
  /** Resolves when a save that is under way has succeeded or failed. */
  waitForSave: () => Promise<void>;
}

/** Mounted forms with unsaved changes. */
const unsavedForms = new Set<UnsavedForm>();

function formsIn(layer: string | null | undefined): UnsavedForm[] {
  return [...unsavedForms].filter((form) => layer === undefined || form.layer === layer);
}

/** Checks one modal, the page itself (null), or everything (undefined). */
export const hasUnsavedChanges = (layer?: string | null): boolean => formsIn(layer).length > 0;

function preventUnload(event: BeforeUnloadEvent) {
  event.preventDefault();
}

function add(form: UnsavedForm) {
  unsavedForms.add(form);
  window.addEventListener('beforeunload', preventUnload);
}

function remove(form: UnsavedForm) {
  unsavedForms.delete(form);
  // Browsers do not keep pages with this listener in the back/forward cache, so it is removed as soon as possible.
  if (unsavedForms.size === 0) window.removeEventListener('beforeunload', preventUnload);
}

/**
 * While `dirty` is true, the browser prompts before leaving the page, and the app asks before closing the modal or
 * navigating. Returns a function that ends this at once, for a form that was saved and is about to close.
 */
export function useUnsavedChanges(
  dirty: boolean,
  handlers: Pick<UnsavedForm, 'onDiscard' | 'waitForSave'>,
): () => void {
  const layer = useContext(LayerContext);
  const handlersRef = useRef(handlers);
  const formRef = useRef<UnsavedForm>(null);

  useEffect(() => {
    handlersRef.current = handlers;
  });

  useEffect(() => {
    if (!dirty) return undefined;
    const form = {
      layer,
      onDiscard: () => handlersRef.current.onDiscard(),
      waitForSave: () => handlersRef.current.waitForSave(),
    };
    formRef.current = form;
    add(form);
    return () => remove(form);
  }, [dirty, layer]);

  return () => {
    if (formRef.current) remove(formRef.current);
  };
}

/** Asks whether to discard the changes. Resolves to true if they may be discarded. */
type AskToDiscard = () => Promise<boolean>;
let askToDiscard: AskToDiscard | null = null;

export function setDiscardHandler(handler: AskToDiscard | null): void {
  askToDiscard = handler;
}

/** Asks only if there are unsaved changes. Resolves to true if there are none or they may be discarded. */
export async function confirmDiscard(layer?: string | null): Promise<boolean> {
  await Promise.all(formsIn(layer).map((form) => form.waitForSave()));
  if (!hasUnsavedChanges(layer)) return true;
  if (askToDiscard && !(await askToDiscard())) return false;
  discardChanges(layer);
  return true;
}

export function discardChanges(layer?: string | null): void {
  for (const form of formsIn(layer)) {
    remove(form);
    form.onDiscard();
  }
}

/** Runs `leave` at once if nothing would be lost, otherwise after the person has agreed. */
export function leaveLayer(layer: string | null, leave: () => void): void {
  if (!hasUnsavedChanges(layer)) leave();
  else void confirmDiscard(layer).then((discarded) => discarded && leave());
}

/** For the Cancel and Back buttons of a form. */
export function useConfirmLeave(): (leave: () => void) => void {
  const layer = useContext(LayerContext);
  return (leave) => leaveLayer(layer, leave);
}
