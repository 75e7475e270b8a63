/**
 * What an application sets: records that Spring Boot binds, one component per setting.
 * Not API.
 */
@NullMarked
package io.jobqueue.internal.boot.properties;

import org.jspecify.annotations.NullMarked;
