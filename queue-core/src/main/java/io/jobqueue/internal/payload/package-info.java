/**
 * The codecs, type names, queue names and headers of jobs. Not API.
 */
@NullMarked
package io.jobqueue.internal.payload;

import org.jspecify.annotations.NullMarked;
