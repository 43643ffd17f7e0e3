import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { ImportFile } from '../features/import/ImportFile.tsx';

export function SettingsImportPage() {
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings/your-data' }, label: 'Back to your data' }} />
      <ImportFile />
    </NarrowContainer>
  );
}
