// OpenCost, which reports the usage of Kubernetes workloads (https://opencost.io/docs/integrations/api): a
// preset of an HTTP API.
import type { HttpOptions, OpenCostOptions } from '../../contract-sources.ts';
import type { Source, SourceSettings } from '../source.ts';
import { httpJson } from './http-json.ts';

function preset(settings: SourceSettings<OpenCostOptions>): SourceSettings<HttpOptions> {
  const base = settings.address.replace(/\/+$/, '').replace(/\/allocation(\/compute)?$/, '');
  const aggregate = encodeURIComponent(settings.options.aggregate);
  return {
    ...settings,
    address: `${base}/allocation/compute?window={start},{end}&aggregate=${aggregate}&accumulate=true`,
    options: {
      kind: 'http_json',
      items: 'data.0',
      resourceFields: ['properties.cluster', 'name'],
      timeField: '',
      paging: { kind: 'none', parameter: '', first: 1, cursorField: '' },
    },
  };
}

export const openCost: Source<OpenCostOptions> = {
  read: (settings, window, signal) => httpJson.read(preset(settings), window, signal),
  check: (settings, window, signal) => httpJson.check(preset(settings), window, signal),
  // It knows usage, not what exists.
  inventory: async () => undefined,
};
