# SPDX-License-Identifier: BSD-3-Clause
"""Classes of protobuf's own library from fields that a test writes down, as a published schema has them."""
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory


def message_class(wanted, schema, package):
    """schema: {message: ((field, number, type), ...)}; a capital letter is a message, * repeated."""
    field_type = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="schema.proto", package=package, syntax="proto2")
    for name, fields in schema.items():
        message = file.message_type.add(name=name)
        for field_name, number, kind in fields:
            field = message.field.add(name=field_name, number=number)
            field.label = field_type.LABEL_REPEATED if kind[0] == "*" else field_type.LABEL_OPTIONAL
            kind = kind.lstrip("*")
            if kind[0].isupper():
                field.type, field.type_name = field_type.TYPE_MESSAGE, f".{package}.{kind}"
            else:
                field.type = getattr(field_type, "TYPE_" + kind.upper())
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    descriptor = pool.FindMessageTypeByName(f"{package}.{wanted}")
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(pool).GetPrototype(descriptor)
