import { expect, it } from 'vitest';
import { kindOf } from './service-kind.ts';

it.each([
  ['運算', '虛擬主機 M', '運算', 'compute'],
  ['Compute', 'AWS Lambda', 'AWS', 'compute'],
  ['Databases', 'Amazon DynamoDB', 'AWS', 'database'],
  ['儲存', '物件儲存', '平台', 'storage'],
  ['Networking', 'Amazon CloudFront', 'AWS', 'network'],
  ['人工智慧', '推論', '平台', 'ai'],
  ['AI and Machine Learning', 'Azure Machine Learning', 'Microsoft', 'ai'],
  ['Other', 'Amazon Elastic Container Service', 'AWS', 'containers'],
  ['平台', '新東西', '其他', 'other'],
])('R-CAT-02 %s, %s, %s is of the kind %s', (type, name, category, kind) => {
  expect(kindOf({ type, name, category })).toBe(kind);
});
