package io.jobqueue.internal.payload;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;

/**
 * A part of a type whose values are stored: the type itself, that of its elements or of a
 * property.
 *
 * @param type the type of the part
 * @param property the property that has this type or elements of it, {@code null} if
 * there is none
 * @param restored whether JSON names the class of the values, or a deserializer of the
 * application reads them
 */
public record PayloadPart(JavaType type, @Nullable String property, boolean restored) {
}
