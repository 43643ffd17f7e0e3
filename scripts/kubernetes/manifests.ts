import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { ConfigMap, Service } from 'kubernetes-types/core/v1.d.ts';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { parse, parseAllDocuments } from 'yaml';

type WithKind<Resource, Kind extends string> = Resource & { kind: Kind };
export type Manifest =
  | WithKind<ConfigMap, 'ConfigMap'>
  | WithKind<Deployment, 'Deployment'>
  | WithKind<Job, 'Job'>
  | WithKind<NetworkPolicy, 'NetworkPolicy'>
  | WithKind<PodDisruptionBudget, 'PodDisruptionBudget'>
  | WithKind<Service, 'Service'>;

export interface Kustomization {
  apiVersion: string;
  kind: string;
  namespace?: string;
  resources: string[];
  images: { name: string; newName?: string; newTag: string }[];
  patches?: { path: string }[];
}

export const readKustomization = (folder: string): Kustomization =>
  parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization;

/** Does not validate the documents; `check-schemas.ts` checks them against the schema of their kind. */
export const parseManifests = (source: string): Manifest[] =>
  parseAllDocuments(source).map((document) => document.toJS() as Manifest);

/** All resources of a base, which lists files only. */
export const readBase = (folder: string): Manifest[] =>
  readKustomization(folder).resources.flatMap((file) =>
    parseManifests(readFileSync(join(folder, file), 'utf8')),
  );

export const ofKind = <Kind extends Manifest['kind']>(
  manifests: readonly Manifest[],
  kind: Kind,
): Extract<Manifest, { kind: Kind }>[] =>
  manifests.filter((each): each is Extract<Manifest, { kind: Kind }> => each.kind === kind);

export const nameOf = ({ metadata }: Manifest): string => metadata?.name ?? '';
