/**
 * Type names and codecs of payloads. Not API.
 */
@NullMarked
package io.jobqueue.payload;

import org.jspecify.annotations.NullMarked;
