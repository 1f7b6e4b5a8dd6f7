import { create, createFileRegistry, type DescMessage } from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';

type Kind = keyof typeof FieldDescriptorProto_Type;

interface FieldSketch {
  readonly name: string;
  readonly jsonName?: string;
  readonly type: Kind;
  readonly typeName?: string;
  readonly repeated?: true;
  readonly optional?: true;
}

const fieldsOf = (sketches: readonly FieldSketch[]) =>
  sketches.map(({ name, jsonName = name, type, typeName, repeated, optional }, index) => ({
    name,
    jsonName,
    number: index + 1,
    type: FieldDescriptorProto_Type[type],
    label: FieldDescriptorProto_Label[repeated ? 'REPEATED' : 'OPTIONAL'],
    ...(typeName === undefined ? {} : { typeName: `.test.${typeName}` }),
    ...(optional ? { proto3Optional: true, oneofIndex: 0 } : {}),
  }));

const entry = (name: string, value: FieldSketch) => ({
  name,
  field: fieldsOf([{ name: 'key', type: 'STRING' }, value]),
  options: { mapEntry: true },
});

/**
 * A message with fields of every kind that protobuf has, numbered from 1 in this order; the protocol does not use all
 * of them yet. Made anew each time, so that nothing is remembered of it.
 */
export function everyKind(): DescMessage {
  const file = create(FileDescriptorProtoSchema, {
    name: 'test.proto',
    package: 'test',
    syntax: 'proto3',
    messageType: [
      {
        name: 'All',
        field: fieldsOf([
          { name: 'text', type: 'STRING' },
          { name: 'whole_number', jsonName: 'wholeNumber', type: 'INT32' },
          { name: 'flag', type: 'BOOL' },
          { name: 'double', type: 'DOUBLE' },
          { name: 'float', type: 'FLOAT' },
          { name: 'state', type: 'ENUM', typeName: 'State' },
          { name: 'states', type: 'ENUM', typeName: 'State', repeated: true },
          { name: 'numbers', type: 'INT32', repeated: true },
          { name: 'doubles', type: 'DOUBLE', repeated: true },
          { name: 'one', type: 'MESSAGE', typeName: 'Inner' },
          { name: 'many', type: 'MESSAGE', typeName: 'Inner', repeated: true },
          { name: 'labels', type: 'MESSAGE', typeName: 'All.LabelsEntry', repeated: true },
          {
            name: 'by_name',
            jsonName: 'byName',
            type: 'MESSAGE',
            typeName: 'All.ByNameEntry',
            repeated: true,
          },
          { name: 'limit', type: 'INT32', optional: true },
          { name: 'bytes', type: 'BYTES' },
          { name: 'fixed64', type: 'FIXED64' },
          { name: 'sfixed64', type: 'SFIXED64' },
          { name: 'fixed32', type: 'FIXED32' },
          { name: 'sfixed32', type: 'SFIXED32' },
        ]),
        nestedType: [
          entry('LabelsEntry', { name: 'value', type: 'STRING' }),
          entry('ByNameEntry', { name: 'value', type: 'MESSAGE', typeName: 'Inner' }),
        ],
        oneofDecl: [{ name: '_limit' }],
      },
      { name: 'Inner', field: fieldsOf([{ name: 'id', type: 'STRING' }]) },
    ],
    enumType: [
      {
        name: 'State',
        value: [
          { name: 'NONE', number: 0 },
          { name: 'BUSY', number: 1 },
        ],
      },
    ],
  });
  const type = createFileRegistry(file, () => undefined).getMessage('test.All');
  if (type === undefined) throw new Error('there is no test.All');
  return type;
}
