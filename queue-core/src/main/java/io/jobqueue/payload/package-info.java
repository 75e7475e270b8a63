/**
 * The codecs, type names, queue names and headers of jobs. Not API.
 */
@NullMarked
package io.jobqueue.payload;

import org.jspecify.annotations.NullMarked;
